# One verified backup with the settings of the service; those older than two weeks go. The scheduled task of install.ps1 runs it.
# Not run: there was neither Windows nor PowerShell to try it.
param(
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices'
)
$ErrorActionPreference = 'Stop'

[xml]$service = Get-Content -Raw "$Data\service\tpwebservices.xml"
foreach ($setting in $service.service.env) { Set-Item -Path "Env:$($setting.name)" -Value $setting.value }
$file = "$Data\backups\$(Get-Date -Format 'yyyy-MM-dd-HHmm').db"
Push-Location $Data
try {
  & $service.service.executable "$Program\scripts\backup.ts" $file *>> "$Data\logs\backup.log"
  if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }
} finally {
  Pop-Location
}
Get-ChildItem "$Data\backups" -Filter '*.db' | Where-Object LastWriteTime -lt (Get-Date).AddDays(-14) | Remove-Item
