# Puts a new version in the place of the one that runs, after a backup. Run as Administrator.
# Not run: there was neither Windows nor PowerShell to try it.
param(
  [Parameter(Mandatory)][string]$NewVersion,
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices'
)
$ErrorActionPreference = 'Stop'

# Installed before the service stops: an error here interrupts nothing.
Push-Location $NewVersion
try {
  & npm.cmd ci '--omit=dev'
  if ($LASTEXITCODE -ne 0) { throw "npm ci ended with $LASTEXITCODE" }
} finally {
  Pop-Location
}
& powershell.exe -NoProfile -ExecutionPolicy Bypass -File "$Program\deploy\windows\backup.ps1" -Program $Program -Data $Data
if ($LASTEXITCODE -ne 0) { throw 'The backup failed; nothing was changed.' }

Stop-Service tpwebservices
if (Test-Path "$Program.previous") { Remove-Item -Recurse -Force "$Program.previous" }
Move-Item $Program "$Program.previous"
Copy-Item -Recurse $NewVersion $Program
Start-Service tpwebservices
Write-Output "To go back: Stop-Service tpwebservices; exchange $Program and $Program.previous; restore the backup if the changelog asks for it; Start-Service tpwebservices."
