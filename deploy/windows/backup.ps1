# One verified backup with the settings of the service; those older than two weeks go. The scheduled task of install.ps1 runs it.
# Not run: there was neither Windows nor PowerShell to try it.
param(
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices'
)

$file = "$Data\backups\$(Get-Date -Format 'yyyy-MM-dd-HHmm').db"
# Not with $ErrorActionPreference = 'Stop': Windows PowerShell 5.1 would end the backup at its first line on standard error.
& "$PSScriptRoot\run.ps1" backup -Program $Program -Data $Data $file *>> "$Data\backups\backup.log"
if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
Get-ChildItem "$Data\backups" -Filter '*.db' | Where-Object LastWriteTime -lt (Get-Date).AddDays(-14) | Remove-Item
